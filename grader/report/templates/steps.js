"use strict";
(() => {
  const SECONDS = 4;
  const player = document.querySelector(".player");
  const steps = [...document.querySelectorAll(".step")];
  const links = [...document.querySelectorAll(".overview a")];
  const button = name => player.querySelector(`[data-do="${name}"]`);
  const [back, play, next, all] = ["back", "play", "next", "all"].map(button);
  let now = 0;
  let timer = 0;

  function pause() {
    clearTimeout(timer);
    timer = 0;
    play.textContent = play.dataset.play;
  }

  function show(place, whole = false) {
    const before = now;
    now = Math.max(0, Math.min(steps.length - 1, place));
    document.body.classList.toggle("alone", !whole);
    document.body.classList.toggle("backwards", now < before);
    steps.forEach((step, i) => { step.hidden = !whole && i !== now; });
    links.forEach((link, i) => {
      if (i === now && !whole) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    back.setAttribute("aria-disabled", String(now === 0));
    next.setAttribute("aria-disabled", String(now === steps.length - 1));
    all.setAttribute("aria-pressed", String(whole));
    player.querySelector("[role=status]").textContent = whole ? "" : steps[now].dataset.said;
  }

  function turn() {
    if (now === steps.length - 1) return pause();
    show(now + 1);
    timer = setTimeout(turn, SECONDS * 1000);
  }

  function go(place) {
    pause();
    show(place);
  }

  function named() {
    return steps.findIndex(step => `#${step.id}` === location.hash);
  }

  back.addEventListener("click", () => go(now - 1));
  next.addEventListener("click", () => go(now + 1));
  all.addEventListener("click", () => { pause(); show(now, all.getAttribute("aria-pressed") === "false"); });
  play.addEventListener("click", () => {
    if (timer) return pause();
    show(now === steps.length - 1 ? 0 : now);
    play.textContent = play.dataset.pause;
    timer = setTimeout(turn, SECONDS * 1000);
  });
  document.addEventListener("click", event => {
    const link = event.target.closest('a[href^="#step-"]');
    const place = link ? steps.findIndex(step => `#${step.id}` === link.getAttribute("href")) : -1;
    if (place < 0) return;
    event.preventDefault();
    go(place);
    steps[place].scrollIntoView();
    steps[place].querySelector("h2").focus({ preventScroll: true });
  });
  document.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const box = event.target.closest(".panels");
    if (box && box.scrollWidth > box.clientWidth) return; // there the arrows move what is too wide
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  addEventListener("hashchange", () => { if (named() >= 0) go(named()); });
  player.hidden = false;
  document.querySelector(".keyboard").hidden = false;
  show(Math.max(0, named()));
})();

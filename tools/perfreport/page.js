"use strict";
// Read-outs under the pointer or with the arrow keys, the choice of a thread, runs shown or not.
(() => {
  const readout = document.getElementById("readout");
  const off = new Set();

  function nearest(values, x) {
    let low = 0, high = values.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] < x) low = middle + 1; else high = middle;
    }
    return low > 0 && x - values[low - 1] < values[low] - x ? low - 1 : low;
  }

  function hide(svg) {
    readout.hidden = true;
    svg.querySelector(".cursor").style.visibility = "hidden";
  }

  // Shows what all lines have nearest to x (in the chart's own units).
  function show(svg, lines, x) {
    const shown = lines.filter(line => line.x.length && !off.has(line.run));
    if (!shown.length) return hide(svg);
    const places = shown.map(line => nearest(line.x, x));
    let best = 0;
    shown.forEach((line, i) => {
      if (Math.abs(line.x[places[i]] - x) < Math.abs(shown[best].x[places[best]] - x)) best = i;
    });
    const at = shown[best].x[places[best]];
    const head = document.createElement("b");
    head.textContent = shown[best].at[places[best]];
    const rows = shown.map((line, i) => {
      const row = document.createElement("div"), swatch = document.createElement("i");
      const name = document.createElement("span"), value = document.createElement("em");
      swatch.className = "swatch back" + line.colour;
      name.textContent = line.name;
      value.textContent = Math.abs(line.x[places[i]] - at) < 25 ? line.value[places[i]] : "\u2013";
      row.append(swatch, name, value);
      return row;
    });
    readout.replaceChildren(head, ...rows);
    readout.hidden = false;
    const cursor = svg.querySelector(".cursor"), box = svg.getBoundingClientRect();
    cursor.setAttribute("transform", `translate(${at} 0)`);
    cursor.style.visibility = "visible";
    const scale = box.width / svg.viewBox.baseVal.width;
    const left = box.left + at * scale, size = readout.getBoundingClientRect();
    const aside = left + 14 + size.width < innerWidth - 8 ? left + 14 : left - 14 - size.width;
    readout.style.left = Math.max(8, aside) + "px";
    readout.style.top = Math.max(8, Math.min(box.top + 20, innerHeight - size.height - 8)) + "px";
    svg.dataset.x = at;
  }

  for (const data of document.querySelectorAll(".variant > script")) {
    const svg = data.previousElementSibling;
    let lines = null;
    const read = () => lines ??= JSON.parse(data.textContent).lines;
    svg.addEventListener("pointermove", event => {
      const box = svg.getBoundingClientRect();
      show(svg, read(), (event.clientX - box.left) * svg.viewBox.baseVal.width / box.width);
    });
    svg.addEventListener("pointerleave", () => hide(svg));
    svg.addEventListener("blur", () => hide(svg));
    svg.addEventListener("keydown", event => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === "Escape") hide(svg);
      if (!step) return;
      event.preventDefault();
      const longest = read().filter(line => !off.has(line.run)).reduce((a, b) => b.x.length > a.length ? b.x : a, []);
      if (!longest.length) return;
      const now = svg.dataset.x === undefined ? (step > 0 ? -1 : longest.length) : nearest(longest, Number(svg.dataset.x));
      show(svg, read(), longest[Math.max(0, Math.min(longest.length - 1, now + step))]);
    });
  }

  for (const box of document.querySelectorAll("#runs input")) {
    box.addEventListener("change", () => {
      const run = Number(box.dataset.run);
      if (box.checked) off.delete(run); else off.add(run);
      for (const part of document.querySelectorAll(`figure .run${run}`)) part.classList.toggle("off", !box.checked);
    });
  }

  const threads = document.querySelector("#threads select");
  const choose = () => {
    for (const figure of document.querySelectorAll("figure")) {
      const variants = [...figure.querySelectorAll(".variant")];
      if (variants.length < 2) continue;
      for (const variant of variants) variant.hidden = variant.dataset.thread !== threads.value;
    }
  };
  if (threads) {
    threads.addEventListener("change", choose);
    if (threads.value !== "all") choose();  // a reloaded page keeps the choice
  }
  document.documentElement.dataset.ready = "yes";
})();

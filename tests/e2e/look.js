// What is wrong with a page as it stands: sentences, one each; nothing for a page that is well.
() => {
  const faults = [];
  const root = document.documentElement;
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  if (root.dataset.missing) faults.push(`no words for ${root.dataset.missing}`);
  if (root.scrollWidth > root.clientWidth) faults.push(`sticks out sideways by ${root.scrollWidth - root.clientWidth}`);
  // Nothing is cut inside the page either: only rows that are made to slide may be wider than they look.
  for (const one of document.querySelectorAll("main, aside, .body"))
    if (seen(one) && one.scrollWidth > one.clientWidth + 1) faults.push(`cut: ${one.tagName}.${one.className}`);
  for (const one of document.querySelectorAll("main .btn, nav a, .tabbar span, h1:not(.sr), main h3"))
    if (seen(one) && one.scrollWidth > one.clientWidth + 1 && (one.matches("h3") || getComputedStyle(one).overflow === "hidden"))
      faults.push(`cut: "${one.textContent.trim()}"`);
  for (const one of document.querySelectorAll("button, a[href], input, select, textarea")) {
    const named = one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label") || one.getAttribute("aria-labelledby");
    if (seen(one) && !named && !one.hasAttribute("aria-hidden")) faults.push(`no name: ${one.outerHTML.slice(0, 120)}`);
  }
  // A tap on it is its own, save where it slides under a bar that stays or out of a box that scrolls.
  const stays = (one) => !!one && (["fixed", "sticky"].includes(getComputedStyle(one).position) || stays(one.parentElement));
  for (const one of document.querySelectorAll("button, a[href], select")) {
    if (!seen(one) || one.matches(":disabled, .sr, .skip") || getComputedStyle(one).pointerEvents === "none") continue;
    const box = one.getClientRects()[0];
    if (!box || !box.width || !box.height) continue;
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const slid = (at) => {
      if (!at) return false;
      const { left, right, top, bottom } = at.getBoundingClientRect();
      return (getComputedStyle(at).overflow !== "visible" && (x < left + 1 || x > right - 1 || y < top + 1 || y > bottom - 1)) || slid(at.parentElement);
    };
    const top = document.elementFromPoint(x, y);
    if (!top || one.contains(top) || top.contains(one) || slid(one) || stays(top)) continue;
    faults.push(`takes its taps: ${one.outerHTML.slice(0, 80)} by ${top.outerHTML.slice(0, 80)}`);
  }
  for (const one of document.querySelectorAll("img:not([alt])")) faults.push(`no words for a picture: ${one.outerHTML.slice(0, 80)}`);
  const ids = [...document.querySelectorAll("[id]:not(svg [id])")].map((one) => one.id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at))) faults.push(`twice the id ${id}`);
  const red = [...document.querySelectorAll(".btn.primary")].filter(seen);
  if (red.length > 1) faults.push(`red buttons: ${red.map((one) => one.textContent.trim()).join(", ")}`);
  if (!document.querySelector("main")) faults.push("no main");
  if (!document.title) faults.push("no title");

  // Contrast, WCAG 2.x. What lies on a picture, a gradient or on something beside it, is
  // dimmed or switched off is left to the eye.
  const parts = (colour) => {
    const [r, g, b, a = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return colour.startsWith("color(srgb") ? [255 * r, 255 * g, 255 * b, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const bright = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none" && !at.matches("select")) return null;
      if (Number(style.opacity) < 1) return null;
      const colour = parts(style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
      if (style.position === "absolute" || style.position === "fixed") return null;
    }
    return layers.reduceRight((under, layer) => over(layer, under), [255, 255, 255, 1]);
  };
  const judged = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || judged.has(one)) continue;
    judged.add(one);
    const tiny = parseFloat(getComputedStyle(one).fontSize) < 11 && !one.closest("svg, script, style, .sr") && seen(one);
    if (tiny) faults.push(`too small to read: "${one.textContent.trim().slice(0, 30)}"`);
    if (one.closest("svg, script, style, :disabled, [aria-disabled=true], [aria-hidden=true], .sr, option") || !seen(one)) continue;
    const under = ground(one);
    if (under === null) continue;
    const style = getComputedStyle(one);
    const [light, dark] = [bright(over(parts(style.color), under)), bright(under)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < least - 0.01) faults.push(`contrast ${ratio.toFixed(2)}: ${one.tagName}.${one.className} "${one.textContent.trim().slice(0, 30)}"`);
  }
  return faults;
}

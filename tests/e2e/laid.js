// How the page lies in its window, by rectangles: sentences, one each; nothing where all is well.
//
// A fault is a word, a card, a tile that something else covers, two words over each other, two things of a table over
// each other, text too small to read, a button that can only be reached by scrolling, or one whose taps something takes,
// which may be invisible.
() => {
  const faults = new Set();
  const SMALL = 12; // px, the smallest text
  const TOUCH = 2; // px by which neighbours may touch
  /** Read something of an element once: nothing changes while one looks. */
  const once = (read) => {
    const known = new Map();
    return (one) => {
      if (!known.has(one)) known.set(one, read(one));
      return known.get(one);
    };
  };
  // What lets a click through is found by its place, too. Changed one by one: a rule for all would reckon all styles anew.
  const lying = [...document.querySelectorAll("*")].filter((one) => getComputedStyle(one).pointerEvents === "none");
  const were = lying.map((one) => [one.style.getPropertyValue("pointer-events"), one.style.getPropertyPriority("pointer-events")]);
  for (const one of lying) one.style.setProperty("pointer-events", "auto", "important");

  const hidden = once((one) => !!one && one !== document.body && (getComputedStyle(one).clipPath === "inset(50%)" || hidden(one.parentElement))); // for those who listen
  const seen = once((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !one.closest(".sr") && !hidden(one));
  const words = (one) => `${one.tagName.toLowerCase()}${[...one.classList].map((name) => `.${name}`).filter((name) => !name.startsWith(".s-") && !name.startsWith(".svelte")).join("")}`;
  const named = (one) => `${words(one)} "${(one.getAttribute("aria-label") ?? one.textContent).trim().replace(/\s+/g, " ").slice(0, 26)}"`;
  const meet = (a, b) => {
    const left = Math.max(a.left, b.left), top = Math.max(a.top, b.top), right = Math.min(a.right, b.right), bottom = Math.min(a.bottom, b.bottom);
    return right > left && bottom > top ? { left, top, right, bottom, width: right - left, height: bottom - top } : null;
  };
  const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  /** What an element does to what sticks out of it. */
  const edge = once((one) => {
    const style = getComputedStyle(one), ways = [style.overflowX, style.overflowY];
    return {
      cuts: ways.some((way) => way !== "visible") && one !== document.documentElement && one !== document.body && !(one instanceof SVGElement),
      slides: ways.some((way) => ["auto", "scroll"].includes(way)),
      dots: style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none",
      fixed: style.position === "fixed",
      box: one.getBoundingClientRect(),
    };
  });
  /** What is left of a rectangle where its surroundings cut: null, nothing. slides: by scrolling there is more to see. */
  const cut = (rect, from) => {
    let left = rect, slides = false, dots = false;
    for (let at = from; at && left; at = at.parentElement) {
      const its = edge(at);
      if (its.cuts) {
        const now = meet(left, its.box);
        if (!now || now.width < left.width - 1 || now.height < left.height - 1) {
          slides ||= its.slides;
          dots ||= its.dots;
        }
        left = now;
      }
      if (its.fixed) break;
    }
    return { rect: left && meet(left, window_), slides, dots };
  };
  // What stands before everything else is looked at alone: a sheet, a drawer, the card of a table before its game.
  const front = [...document.querySelectorAll("dialog[open], .drawer:not([inert]), .result, .lounge, .sheet.no")].filter(seen).at(-1);
  const scope = front ?? document.querySelector(".page") ?? document.body;

  /** Does this element draw anything of its own? */
  const paints = (one) => {
    const style = getComputedStyle(one);
    if (one instanceof SVGElement) {
      if (one.matches("svg, g, text, defs, use, symbol, title, marker")) return false;
      return (style.fill !== "none" && Number(style.fillOpacity) > 0.2) && Number(style.opacity) > 0.2;
    }
    if (style.visibility !== "visible" || Number(style.opacity) < 0.2) return false;
    const alpha = Number((style.backgroundColor.match(/[\d.]+/g) ?? [])[3] ?? 1);
    return alpha > 0.25 || style.backgroundImage !== "none" || one.tagName === "IMG";
  };
  /** Cards of one hand or one set lie over each other on purpose: `fit.ts` and `fan.ts` see to it that each leaves its index. */
  const heap = (one) => one.closest("[data-set], [data-hand], [data-shown], .hand, .run, .cards, .matrix");

  // 1. Words, and what lies over them.
  const texts = [];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const one = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !seen(one) || one.closest("script, style, option, defs, symbol, title")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const rect of range.getClientRects()) {
      if (rect.width < 2 || rect.height < 2) continue;
      const { rect: left, slides, dots } = cut(rect, one);
      const size = parseFloat(getComputedStyle(one).fontSize) * (one.ownerSVGElement ? one.getScreenCTM().a : 1);
      if (left && size < SMALL - 0.05 && !one.closest(".ava, .avatar, svg.bg, .card, .tile, .seal-mark, .sealmark, kbd")) faults.add(`small ${size.toFixed(1)} px: ${named(one)}`);
      if (!left || left.width * left.height < 0.6 * rect.width * rect.height) {
        if (!slides && !dots) faults.add(`cut: ${named(one)}`);
        continue;
      }
      // A line of large letters reaches over its own height: what is to be read is as high as its letters.
      const over = Math.max(0, (left.bottom - left.top - size) / 2);
      texts.push({ one, rect: { ...left, top: left.top + over, bottom: left.bottom - over }, text: walker.currentNode.data.trim() });
    }
  }
  for (const text of texts) {
    const { one, rect } = text;
    for (const share of [0.15, 0.5, 0.85]) {
      const x = rect.left + rect.width * share, y = (rect.top + rect.bottom) / 2;
      for (const over of document.elementsFromPoint(x, y)) {
        if (over === one || over.contains(one) || one.contains(over)) break;
        if (!paints(over)) continue;
        if (one.closest(".card, .tile") && heap(one) && heap(one) === heap(over)) break;
        text.under = over;
        faults.add(`covered: ${named(one)} by ${named(over)}`);
        break;
      }
      if (text.under) break;
    }
  }
  // 2. Words over words.
  const free = texts.filter((text) => !text.under && !text.one.closest(".card, .tile, .sealmark"));
  free.forEach((a, i) => {
    for (const b of free.slice(i + 1)) {
      if (a.one === b.one || a.one.contains(b.one) || b.one.contains(a.one)) continue;
      if (a.one.closest(".river") || b.one.closest(".river")) continue; // a piece's disc lies between its letter and the river
      const both = meet(a.rect, b.rect);
      if (both && both.width > TOUCH && both.height > 0.3 * Math.min(a.rect.bottom - a.rect.top, b.rect.bottom - b.rect.top))
        faults.add(`crossed: ${named(a.one)} and ${named(b.one)}`);
    }
  });
  // 3. Things of a table over each other.
  const THINGS = `.plate, [data-set] .run, [data-set] .cap, .fallen, .bubble, .verdict-of > *, .line:not([data-hand]), .where > *, .table-of-cards > .again, .reading, .acts > *, .over > .panel,
    .over > .burn, .panel > *, .tools > .btn, .watching, .fair, .times, .opening, .taken, .shown, .mid, .stone, [data-wing] .own, [data-wing] .melds, .bench, .end,
    [data-hand] .stack, [data-hand] .slot:not(.stack .slot), svg.xq, svg.bg, [data-own], .chips, .head .icon, .corner, .toast, .x, .board .bar, .openhand`;
  const things = [...scope.querySelectorAll(THINGS)].filter((one) => seen(one) && !one.closest(".sidebar")).map((one) => ({ one, rect: cut(one.getBoundingClientRect(), one.parentElement).rect })).filter(({ rect }) => rect);
  things.forEach((a, i) => {
    for (const b of things.slice(i + 1)) {
      if (a.one.contains(b.one) || b.one.contains(a.one)) continue;
      const hands = [a.one, b.one].map((one) => one.closest("[data-hand]"));
      if (hands[0] && hands[0] === hands[1]) continue;
      const both = meet(a.rect, b.rect);
      if (both && both.width > TOUCH && both.height > TOUCH) faults.add(`over each other by ${both.width.toFixed(0)}×${both.height.toFixed(0)}: ${named(a.one)} and ${named(b.one)}`);
    }
  });
  // 4. What can be done now is in the window, whole and uncovered, without scrolling.
  const within = [];
  for (const one of scope.querySelectorAll("button, a[href], select, input, textarea, [role=slider]")) {
    if (!seen(one) || one.tabIndex < 0 && one.getAttribute("aria-hidden") || one.closest(".sidebar, .list, .flags") || one.matches(".skip, .sr, .sr *")) continue;
    const box = one.getBoundingClientRect();
    const { rect } = cut(box, one.parentElement);
    if (!rect || rect.width < box.width - 1.5 || rect.height < box.height - 1.5) {
      faults.add(`out of the window: ${named(one)} at ${box.left.toFixed(0)},${box.top.toFixed(0)}–${box.right.toFixed(0)},${box.bottom.toFixed(0)}`);
      continue;
    }
    within.push([one, rect]);
    const top = document.elementsFromPoint((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2).find((over) => paints(over) || over.matches("button, a, input, select"));
    if (top && top !== one && !one.contains(top) && !top.contains(one) && !one.matches("input")) faults.add(`covered button: ${named(one)} by ${named(top)}`);
  }
  for (const one of scope.querySelectorAll(".btn")) {
    if (seen(one) && one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === "visible" && !one.querySelector(".count")) faults.add(`words over the edge of their button: ${named(one)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.add(`sticks out sideways by ${document.documentElement.scrollWidth - innerWidth}`);
  if (document.documentElement.dataset.missing) faults.add(`no words for ${document.documentElement.dataset.missing}`);
  lying.forEach((one, i) => one.style.setProperty("pointer-events", ...were[i]));
  // 5. A tap on it is its own.
  for (const [one, rect] of within) {
    if (one.matches("input, :disabled") || getComputedStyle(one).pointerEvents === "none") continue;
    const top = document.elementFromPoint((rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2);
    if (top && !one.contains(top) && !top.contains(one)) faults.add(`takes its taps: ${named(one)} by ${named(top)}`);
  }
  return [...faults];
}

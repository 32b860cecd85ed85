// The keyboard keeps its place at a table: when what had the focus goes away (a button that was pressed, a question that
// is answered, a sheet that is closed), the focus goes to the hand or the board instead of to nowhere.
const REST = "[role=listbox][tabindex='0'], [role=application][tabindex='0']";

/** Keep the focus inside a part of the page; returns how to end it. */
export function keepsFocus(part: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  const came = (event: FocusEvent) => (last = event.target as HTMLElement);
  const watcher = new MutationObserver(() => {
    if (!last || document.activeElement !== document.body || (last.isConnected && !last.matches(":disabled"))) return;
    last = null;
    (part.querySelector<HTMLElement>(REST) ?? part).focus({ preventScroll: true });
  });
  part.addEventListener("focusin", came);
  watcher.observe(part, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  return () => {
    part.removeEventListener("focusin", came);
    watcher.disconnect();
  };
}

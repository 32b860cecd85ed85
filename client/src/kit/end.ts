/** Show the end of a list in the next frame, which lays the page anyway: at once it would be laid twice. Returns what calls it off. */
export function toEnd(box: HTMLElement): () => void {
  const frame = requestAnimationFrame(() => {
    box.scrollTop = box.scrollHeight;
  });
  return () => cancelAnimationFrame(frame);
}

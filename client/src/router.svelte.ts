// Where we are. Addresses are those of platform P-112; links are plain <a href>, taken over by `follow`.
class Router {
  path: string = $state(location.pathname);
  query: URLSearchParams = $state.raw(new URLSearchParams(location.search));

  constructor() {
    addEventListener("popstate", () => this.read());
  }

  go(to: string, replace = false): void {
    if (replace) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
    this.read();
    if (!location.hash) scrollTo(0, 0);
  }

  /** Go back, or to `otherwise` when this page was the first. */
  back(otherwise = "/"): void {
    if (history.length > 1 && document.referrer !== "") history.back();
    else this.go(otherwise);
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }
}

export const router = new Router();

/** Keep clicks on links of this hall inside the page. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/")) return;
  event.preventDefault();
  if (link.hash && link.pathname === location.pathname) {
    history.replaceState(null, "", link.hash);
    const target = document.querySelector<HTMLElement>(link.hash);
    target?.scrollIntoView();
    target?.focus();
    return;
  }
  router.go(link.pathname + link.search + link.hash);
}

/** A piece of an address as it was meant; as it stands, where nobody can have meant it. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parts of a path that fits a pattern ("/rooms/:id"), null when it does not. */
export function fits(pattern: string, path: string): Record<string, string> | null {
  const want = pattern.split("/");
  const have = path.replace(/\/$/, "").split("/");
  if (pattern === "/") return path === "/" ? {} : null;
  const found: Record<string, string> = {};
  for (let i = 0; i < want.length; i++) {
    const piece = want[i] ?? "";
    const part = have[i];
    if (piece.startsWith(":")) {
      const optional = piece.endsWith("?");
      if (part === undefined || part === "") {
        if (!optional) return null;
      } else found[piece.replace(/[:?]/g, "")] = plain(part);
    } else if (piece !== part) return null;
  }
  return have.length <= want.length ? found : null;
}

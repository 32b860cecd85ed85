// The drawing of a table's game: it stands as long as its page, and each view is shown with what was told.
import { untrack } from "svelte";
import type { GameView, Places } from "./game";
import type { LiveTableView } from "./tableView.svelte";

/** Made by the page of a table, while it begins: `{@attach drawing.cloth}` and the others say where it is drawn. */
export class Drawing {
  readonly #tableView: LiveTableView;
  readonly #places: Partial<Places> = {};
  #view: GameView | null = null;
  readonly cloth = this.#place("cloth");
  readonly hand = this.#place("hand");
  readonly sidebar = this.#place("sidebar");

  constructor(tableView: LiveTableView) {
    this.#tableView = tableView;
    const { table } = tableView;
    $effect(() =>
      tableView.hear((told) => {
        if (tableView.back === null) this.#view?.show(table.view, told, table.hints);
      }),
    );
    $effect(() => {
      const seen = table.view;
      untrack(() => tableView.keep(seen));
    });
    $effect(() => {
      const { view: seen, hints } = tableView;
      untrack(() => this.#view?.show(seen, [], hints));
    });
  }

  /** Let the game have a key; returns whether it was used. */
  key(event: KeyboardEvent): boolean {
    return this.#view?.key?.(event) ?? false;
  }

  #place(which: keyof Places) {
    return (node: HTMLElement): (() => void) => {
      const places = this.#places;
      places[which] = node;
      const module = untrack(() => this.#tableView.module);
      if (places.cloth && places.hand && places.sidebar && module && !this.#view) {
        this.#view = untrack(() => module.create(this.#tableView));
        this.#view.mount(places as Places);
      }
      return () => {
        this.#view?.unmount();
        this.#view = null;
        delete places[which];
      };
    };
  }
}

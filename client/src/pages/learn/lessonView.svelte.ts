// A moment of a lesson as a game's view sees it. The learner's moves go to the lesson; nothing is played by itself.
import { say } from "../../lang.svelte";
import type { Json, Refusal } from "../../net/protocol";
import type { LessonPage, LessonView } from "../../net/protocol.gen";
import { StillTableView } from "../../table/still.svelte";
import type { GameModule } from "../../table/game";
import { seatsOf } from "./lesson";

export class LessonTableView extends StillTableView {
  readonly taught = true;
  acted: number | null = $state(null);
  /** Whether a move is not made but only judged. */
  judges: (action: Json) => Promise<Refusal | null> = () => Promise.resolve(null);
  #asks = 0;

  constructor(page: LessonPage, module: GameModule) {
    super({
      room: 0,
      no: 0,
      game: page.game,
      variant: null,
      kind: "friendly",
      preset: null,
      options: page.options,
      clock: { type: "none" },
      terms: {},
      watch: { mode: "open", delay_s: null },
      state: "playing",
    });
    this.module = module;
    this.seats = seatsOf(page);
    this.seat = this.viewpoint = page.seat;
  }

  override nameOf(seat: number): string {
    return seat === this.seat ? say("ui.learn.you") : super.nameOf(seat);
  }

  /** Show a moment; acts: the learner may act there. quiet: what led to it is not told, so that nothing moves. */
  show(moment: LessonView, acts: boolean, quiet = false): void {
    const open = acts && (moment.ask !== null || moment.legal.length > 0);
    this.mode = open ? "lesson" : "watch";
    const last = moment.told.findLast((one) => typeof (one as { seat?: number }).seat === "number");
    this.acted = (last as { seat?: number } | undefined)?.seat ?? null;
    this.view = moment.view;
    this.hints = open ? moment.hints : null;
    this.legal = open ? { list: moment.legal, more: moment.more } : null;
    this.ask = open && moment.ask !== null ? { id: ++this.#asks, kind: moment.ask, until: null } : null;
    this.refusal = null;
    if (!quiet && moment.told.length) this.tell(moment.told);
  }

  /** What is refused is said beside the table, in the lesson's words. */
  override act(action: Json): Promise<Refusal | null> {
    return this.onAct(action);
  }

  override async attempt(action: Json, quiet = false): Promise<Refusal | null> {
    const refusal = await this.judges(action);
    if (!quiet) this.refusal = refusal;
    return refusal;
  }
}

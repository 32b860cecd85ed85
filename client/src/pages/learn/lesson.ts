// The seats of a first lesson: bots, and the learner.
import type { SeatInfo } from "../../net/protocol";
import type { LessonPage } from "../../net/protocol.gen";

export const seatsOf = (page: LessonPage): SeatInfo[] =>
  Array.from({ length: page.seats }, (_, seat) => ({
    seat,
    user: null,
    bot: seat === page.seat ? null : "easy",
    ready: true,
    presence: seat === page.seat ? "online" : "bot",
    until: null,
    score: null,
    grade: null,
    pass: null,
  }));

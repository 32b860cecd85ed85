// How far this device has come in the lessons: the goals visited, by game and lesson.
const KEY = "qipai.lessons";
type Progress = Record<string, Record<string, { seen: string[]; of: number }>>;

function all(): Progress {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Progress;
  } catch {
    return {};
  }
}

export const reached = (game: string): Progress[string] => all()[game] ?? {};

export function reach(game: string, lesson: string, seen: string[], of: number): void {
  const now = all();
  const old = now[game]?.[lesson];
  if (old && old.seen.length > seen.length) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...now, [game]: { ...now[game], [lesson]: { seen, of } } }));
  } catch {
    // Then it is forgotten with the page.
  }
}

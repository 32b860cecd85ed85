// Where people are comes first, in every list of rooms and tables; what is equal stays as it stood.
import type { RoomRow } from "../../net/catalog.svelte";
import type { RoomTable } from "../../net/protocol";

/** Is somebody in this room, or at one of its tables? */
export const lively = (room: RoomRow): boolean => room.people > 0 || room.playing > 0;

export const byPeople = (rooms: readonly RoomRow[]): RoomRow[] => [...rooms].sort((a, b) => b.people - a.people || b.playing - a.playing);

/** Somebody sits at it; a table of bots alone is played at, too. */
export const taken = (table: RoomTable): boolean => table.seats.some((seat) => seat.user || seat.bot);

/** 0: with people, 1: with bots alone, 2: empty. Not by how many, so that no table moves with everybody who sits down. */
const rank = (table: RoomTable): number => (table.seats.some((seat) => seat.user) ? 0 : taken(table) ? 1 : 2);

export const byLife = (tables: readonly RoomTable[]): RoomTable[] => [...tables].sort((a, b) => rank(a) - rank(b));

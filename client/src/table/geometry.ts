// Where things stand and lie at a table, and how large they are: numbers in, numbers out. Everything that draws a table
// asks here: the frame (plates, bar, sidebar), the cloths of cards and tiles, the hands, the replay. Two files, as a
// table's first load needs but the first.
export * from "./geometry/sizes";
export * from "./geometry/lain";

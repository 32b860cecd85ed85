// The players of colyseus-server.mjs: node colyseus-clients.mjs PORT TABLES SEATS. It answers "go", "hold" and "count".
import { Client } from '@colyseus/sdk';
import { answered } from './answered.mjs';

const [port, tables, seats] = process.argv.slice(2).map(Number);
let moves = 0;
let going = false;
const waiting = [];

function play(room) {
  if (going) room.send('play', 0); else waiting.push(room);
}

const hall = new Client(`http://127.0.0.1:${port}`);
for (let table = 0; table < tables; table += 1) {
  let first = null;
  for (let seat = 0; seat < seats; seat += 1) {
    const room = first ? await hall.joinById(first.roomId) : await hall.create('trivial', { seats });
    first ??= room;
    room.onMessage('view', (view) => {
      if (!view.mine) return;
      if (view.n > 0) moves += 1; // the move of whoever played before has come here
      play(room);
    });
  }
}
answered({
  go: () => { going = true; waiting.splice(0).forEach(play); },
  hold: () => { going = false; },
  count: () => moves,
});

// The players of bgio-server.mjs: node bgio-clients.mjs PORT TABLES SEATS. It answers "go", "hold" and "count".
import { io } from 'socket.io-client';
import { answered } from './answered.mjs';

const [port, tables, seats] = process.argv.slice(2).map(Number);
let moves = 0;
let going = false;
const waiting = [];

function play(seat) {
  if (!going) { waiting.push(seat); return; }
  const action = { type: 'MAKE_MOVE', payload: { type: 'play', args: [], playerID: seat.id, credentials: undefined } };
  seat.socket.emit('update', action, seat.state, seat.match, seat.id);
}

function sit(match, id) {
  return new Promise((done, failed) => {
    const socket = io(`http://127.0.0.1:${port}/trivial`, { transports: ['websocket'], forceNew: true });
    const seat = { socket, match, id, state: -1 };
    const seen = (state) => {
      const before = seat.state;
      seat.state = state._stateID;
      if (state.ctx.currentPlayer === id && state._stateID !== before) {
        if (before >= 0) moves += 1; // the move of whoever played before has come here
        play(seat);
      }
    };
    socket.on('connect', () => socket.emit('sync', match, id, undefined, seats));
    socket.on('connect_error', failed);
    socket.on('sync', (_match, info) => { seen(info.state); done(seat); });
    socket.on('update', (_match, state) => seen(state));
  });
}

for (let table = 0; table < tables; table += 1) {
  // One after the other: the first to come makes the match.
  for (let seat = 0; seat < seats; seat += 1) await sit(`table${table}`, String(seat));
}
answered({
  go: () => { going = true; waiting.splice(0).forEach(play); },
  hold: () => { going = false; },
  count: () => moves,
});

// boardgame.io with an equivalent trivial game: whose turn it is says a move, everybody gets the table. node bgio-server.mjs
import server from 'boardgame.io/dist/cjs/server.js';

const size = Number(process.argv[2] || 1000);
const game = {
  name: 'trivial',
  setup: () => ({ n: 0, view: 'x'.repeat(size) }),
  moves: { play: ({ G }) => { G.n += 1; } },
  turn: { minMoves: 1, maxMoves: 1 },
};
const say = console.log;
console.log = () => {}; // the first line is to be ours
const hall = server.Server({ games: [game], origins: ['http://127.0.0.1'] });
const running = await hall.run({ port: 0, lobbyConfig: { apiPort: 0 } });
say(`bgio at http://127.0.0.1:${running.appServer.address().port}`);

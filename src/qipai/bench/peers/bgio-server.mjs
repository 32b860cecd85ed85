// boardgame.io with an equivalent trivial game: whose turn it is plays a card, everybody gets what he may see of the table.
// node bgio-server.mjs SIZE
import core from 'boardgame.io/dist/cjs/core.js';
import server from 'boardgame.io/dist/cjs/server.js';
import { HAND, deal, padding } from './hands.mjs';

const pad = padding(Number(process.argv[2] || 1000));
const all = (ids, of) => Object.fromEntries(ids.map((id) => [id, of(id)]));
const game = {
  name: 'trivial',
  setup: ({ ctx }) => ({ n: 0, top: null, left: all(ctx.playOrder, () => HAND), players: all(ctx.playOrder, deal), pad }),
  playerView: core.PlayerView.STRIP_SECRETS, // of `players` each is shown his own
  moves: {
    play: ({ G, ctx, playerID }) => {
      G.n += 1;
      G.top = { seat: playerID, card: G.players[playerID].pop() };
      if (G.players[playerID].length === 0) G.players = all(ctx.playOrder, deal);
      G.left = all(ctx.playOrder, (id) => G.players[id].length);
    },
  },
  turn: { minMoves: 1, maxMoves: 1 },
};
const say = console.log;
console.log = () => {}; // the first line is to be ours
const hall = server.Server({ games: [game], origins: ['http://127.0.0.1'] });
const running = await hall.run({ port: 0, lobbyConfig: { apiPort: 0 } });
say(`bgio at http://127.0.0.1:${running.appServer.address().port}`);

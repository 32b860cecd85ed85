// Colyseus with an equivalent trivial game: whose turn it is plays a card, everybody gets what he may see of the table.
// node colyseus-server.mjs SIZE
import { createServer } from 'node:http';
import { Server, Room } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { deal, padding } from './hands.mjs';

const pad = padding(Number(process.argv[2] || 1000));

class Trivial extends Room {
  onCreate({ seats }) {
    this.maxClients = seats;
    this.autoDispose = true;
    this.seats = [];
    this.hands = [];
    this.moves = 0;
    this.top = null;
    this.onMessage('play', (client) => {
      const turn = this.moves % this.seats.length;
      if (this.seats[turn] !== client.sessionId) return;
      this.top = { seat: turn, card: this.hands[turn].pop() };
      if (this.hands[turn].length === 0) this.hands = this.seats.map(deal);
      this.moves += 1;
      this.tell();
    });
  }

  onJoin(client) {
    this.seats.push(client.sessionId);
    this.hands.push(deal());
    if (this.seats.length === this.maxClients) this.tell();
  }

  tell() {
    const turn = this.moves % this.seats.length;
    const left = this.hands.map((hand) => hand.length);
    // A message to each, which costs no more than a state with a view for each (decision 0027).
    for (const client of this.clients) {
      const seat = this.seats.indexOf(client.sessionId);
      client.send('view', { n: this.moves, mine: seat === turn, top: this.top, left, hand: this.hands[seat], pad });
    }
  }
}

const http = createServer();
const hall = new Server({ greet: false, transport: new WebSocketTransport({ server: http }) });
hall.define('trivial', Trivial);
await hall.listen(0, '127.0.0.1');
console.log(`colyseus at http://127.0.0.1:${http.address().port}`);

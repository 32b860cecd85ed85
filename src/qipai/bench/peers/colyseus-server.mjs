// Colyseus with an equivalent trivial game: whose turn it is says a move, everybody gets the table. node colyseus-server.mjs
import { createServer } from 'node:http';
import { Server, Room } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';

const size = Number(process.argv[2] || 1000);
const pad = 'x'.repeat(size);

class Trivial extends Room {
  onCreate({ seats }) {
    this.maxClients = seats;
    this.autoDispose = true;
    this.seats = [];
    this.moves = 0;
    this.onMessage('play', (client) => {
      if (this.seats[this.moves % this.seats.length] !== client.sessionId) return;
      this.moves += 1;
      this.tell();
    });
  }

  onJoin(client) {
    this.seats.push(client.sessionId);
    if (this.seats.length === this.maxClients) this.tell();
  }

  tell() {
    const turn = this.moves % this.seats.length;
    // Every seat gets a view of its own, as a table with hidden cards needs it.
    for (const client of this.clients) client.send('view', { n: this.moves, mine: this.seats[turn] === client.sessionId, pad });
  }
}

const http = createServer();
const hall = new Server({ greet: false, transport: new WebSocketTransport({ server: http }) });
hall.define('trivial', Trivial);
await hall.listen(0, '127.0.0.1');
console.log(`colyseus at http://127.0.0.1:${http.address().port}`);

// The equivalent trivial game of both servers: each seat has a hand that only its owner may see, and plays from it in turn.
const RANKS = ['3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A', '2', 'x', 'X'];
export const HAND = 36;

// A hand; when one is empty, all are dealt anew.
export const deal = () => Array.from({ length: HAND }, () => RANKS[Math.floor(Math.random() * RANKS.length)]);

// So much text that a view, which has a hand and this, is as long as one of the hall's.
export const padding = (size) => 'x'.repeat(Math.max(0, size - JSON.stringify(deal()).length));

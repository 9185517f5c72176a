// Set Cubed at boardgame.io's own server: node server.js PORT SCRIPT [FOLDER]
//
// As light as can be: who is on turn, which dice are in hand and which squares are free is checked; what is a SET
// is not, and points are taken on trust. Luck is read from the script. Undo is off, and the whole state goes out
// as by default: patches (deltaState) take twenty times the processor time. Matches are kept in memory, as by
// default, or as files in FOLDER.
const { readFileSync } = require("node:fs");
const { INVALID_MOVE } = require("boardgame.io/core");
const { FlatFile, Server } = require("boardgame.io/server");

const [port, script, folder] = process.argv.slice(2);
const { players, dealt, moves } = JSON.parse(readFileSync(script, "utf8"));

// Every move ends with this: luck brings dice, and `next` is on turn.
function pass_on(G, next) {
  for (const [seat, dice] of moves[G.done].luck) Object.assign(G.hands[seat], dice);
  G.done += 1;
  G.next = next;
  G.over = G.done === moves.length;
}

// The turn goes round; after the last seat everybody answers to the extra roll, also in turn.
function end_turn(G, playerID) {
  pass_on(G, (Number(playerID) + 1) % players);
}

function lay({ G, playerID }, placements, points) {
  const hand = G.hands[playerID];
  for (const [number, , cell] of placements) {
    if (!(number in hand) || G.board[cell] !== null) return INVALID_MOVE;
  }
  for (const [number, face, cell] of placements) {
    delete hand[number];
    G.board[cell] = `${face}#${number}`;
  }
  G.scores[playerID] += points;
  end_turn(G, playerID);
}

const cubed = {
  name: "cubed",
  disableUndo: true,
  setup: () => ({
    board: Array(81).fill(null),
    hands: dealt,
    scores: Array(players).fill(0),
    choices: Array(players).fill(null),
    done: 0,
    next: 0,
    over: false,
  }),
  moves: {
    call: ({ G, playerID }) => pass_on(G, Number(playerID)),
    show: lay,
    lay,
    pass: ({ G, playerID }) => end_turn(G, playerID),
    choose: ({ G, playerID }, dice) => {
      if (dice.some((number) => !(number in G.hands[playerID]))) return INVALID_MOVE;
      G.choices[playerID] = dice;
      end_turn(G, playerID);
    },
  },
  turn: { minMoves: 1, maxMoves: 1, order: { first: () => 0, next: ({ G }) => G.next } },
  endIf: ({ G }) => (G.over ? G.scores : undefined),
};

const db = folder ? new FlatFile({ dir: folder }) : undefined;
Server({ games: [cubed], origins: [], db }).run(Number(port));

// Set Cubed as a game of boardgame.io: the rules of `tercet.cubed`, in boardgame.io's phases and turns.
//
// Two things differ. boardgame.io has no clocks, so nobody is too late to show the opening SET. And luck is read from a
// list of dice as they fell at our server: less work than to draw and throw them.
const { original } = require("immer");
const { ActivePlayers, INVALID_MOVE } = require("boardgame.io/core");
const { HAND_LIMIT, Judge } = require("./judge.js");

// So many rounds in a row in which no die is laid end the game.
const IDLE_LIMIT = 3;
// The table stops throwing by itself after so many throws.
const THROWS_AT_ONCE = 100;

// `luck`: the dice as they fall, one after another, from the first that is drawn.
function cubed({ players, edition, luck }) {
  const judge = new Judge(edition);

  // The seats clockwise from the first player; from the first seat while there is none.
  const inOrder = (G) => Array.from({ length: players }, (_, place) => ((G.first ?? 0) + place) % players);

  // Everyone draws up to five dice. What is done die by die is done to copies: a draft costs more.
  function draw(G) {
    const bag = new Set(G.bag);
    for (const seat of inOrder(G)) {
      const hand = [...G.hands[seat]];
      while (bag.size > 0 && hand.length < HAND_LIMIT) {
        const die = luck[G.thrown++];
        bag.delete(judge.number(die));
        hand.push(die);
      }
      G.hands[seat] = hand;
    }
    G.bag = [...bag];
  }

  function throwDice(G, seat, numbers) {
    if (numbers.length === 0) return;
    const hand = [...G.hands[seat]];
    for (const number of numbers) {
      hand[hand.findIndex((die) => judge.number(die) === number)] = luck[G.thrown++];
    }
    G.hands[seat] = hand;
  }

  function throwAll(G) {
    for (const seat of inOrder(G)) {
      const numbers = G.hands[seat].map((die) => judge.number(die));
      throwDice(G, seat, numbers);
    }
  }

  const somebodyHasASet = (G) => G.hands.some((hand) => judge.hasSet(hand));

  // Everyone throws, as often as needed, and may call again.
  function throwUntilASet(G) {
    G.barred = [];
    G.none = [];
    for (let times = 0; times < THROWS_AT_ONCE; times++) {
      throwAll(G);
      if (somebodyHasASet(G)) return;
    }
  }

  function setup() {
    const G = {
      round: 1,
      bag: edition.dice.map((_, place) => place + 1),
      hands: Array.from({ length: players }, () => []),
      board: Array(judge.cells).fill(null),
      scores: Array(players).fill(0),
      call: null,
      barred: [],
      none: [],
      first: null,
      laid: false,
      could_lay: false,
      idle_rounds: 0,
      choices: [],
      thrown: 0,
      over: false,
    };
    draw(G);
    if (!somebodyHasASet(G)) throwUntilASet(G);
    return G;
  }

  // Nobody can or will call: all throw again.
  function throwIfAllGaveUp(G) {
    if (new Set([...G.barred, ...G.none]).size === players) throwUntilASet(G);
  }

  function put(G, seat, laid, points) {
    const gone = laid.map(({ inHand }) => inHand);
    for (const { cell, text } of laid) G.board[cell] = text;
    G.hands[seat] = original(G).hands[seat].filter((die) => !gone.includes(die));
    G.scores[seat] += points;
    G.laid = true;
  }

  const call = {
    ignoreStaleStateID: true,
    move: ({ G, playerID }) => {
      const seat = Number(playerID);
      if (G.call !== null || G.barred.includes(seat)) return INVALID_MOVE;
      G.call = seat;
      G.none = G.none.filter((other) => other !== seat);
    },
  };

  function show({ G, playerID }, placements) {
    const seat = Number(playerID);
    if (G.call !== seat || !Array.isArray(placements)) return INVALID_MOVE;
    G.call = null;
    if (placements.length > 0) {
      const laid = judge.take(original(G).hands[seat], placements);
      if (laid === null || !judge.onLogo(laid)) return INVALID_MOVE;
      if (judge.isSet(laid)) {
        put(G, seat, laid, laid.filter(({ wild }) => !wild).length);
        G.first = seat;
        G.barred = [];
        G.none = [];
        return;
      }
    }
    G.barred.push(seat);
    throwIfAllGaveUp(G);
  }

  const see_none = {
    ignoreStaleStateID: true,
    move: ({ G, playerID }) => {
      const seat = Number(playerID);
      if (G.call !== null || G.barred.includes(seat) || G.none.includes(seat)) return INVALID_MOVE;
      G.none.push(seat);
      throwIfAllGaveUp(G);
    },
  };

  const couldLay = (G, seat) => {
    const { board, hands } = original(G);
    return judge.canLay(board, hands[seat]);
  };

  // An own die takes the place of a wild that stands for its face; the wild is thrown and joins the hand.
  const replace = {
    noLimit: true,
    move: ({ G, playerID }, number, square) => {
      const seat = Number(playerID);
      const cell = judge.cellOf.get(square);
      const hand = original(G).hands[seat];
      const die = hand.find((one) => judge.number(one) === number);
      const wild = G.board[cell];
      if (die === undefined || !judge.replaces(die, wild)) return INVALID_MOVE;
      G.could_lay ||= couldLay(G, seat);
      G.board[cell] = die;
      G.hands[seat] = [...hand.filter((one) => one !== die), luck[G.thrown++]];
    },
  };

  function lay({ G, playerID }, placements) {
    const { board, hands } = original(G);
    const seat = Number(playerID);
    const laid = judge.take(hands[seat], placements);
    const points = laid && judge.score(board, laid);
    if (points === null) return INVALID_MOVE;
    put(G, seat, laid, points);
  }

  function pass({ G, playerID }) {
    G.could_lay ||= couldLay(G, Number(playerID));
  }

  // Everyone has had a turn.
  function endRound(G) {
    // Nobody laid a die and nobody could have: all are thrown, and there is no extra roll to answer to.
    const stuck = !G.laid && !G.could_lay;
    G.idle_rounds = G.laid ? 0 : G.idle_rounds + 1;
    G.laid = false;
    G.could_lay = false;
    if (G.idle_rounds === IDLE_LIMIT || G.hands.some((hand) => hand.length === 0)) {
      G.over = true;
      return;
    }
    G.round += 1;
    if (!stuck) G.choices = Array(players).fill(null);
    draw(G);
    if (stuck) throwAll(G);
  }

  const choose = {
    redact: true,
    ignoreStaleStateID: true,
    move: ({ G, playerID }, dice) => {
      const seat = Number(playerID);
      if (!Array.isArray(dice) || new Set(dice).size < dice.length) return INVALID_MOVE;
      const numbers = original(G).hands[seat].map((die) => judge.number(die));
      if (!dice.every((number) => numbers.includes(number))) return INVALID_MOVE;
      G.choices[seat] = [...dice].sort((a, b) => a - b);
    },
  };

  function throwChosen(G) {
    for (const seat of inOrder(G)) throwDice(G, seat, G.choices[seat]);
    G.choices = [];
  }

  const allAnswered = (G) => !G.choices.includes(null);

  return {
    name: "cubed",
    disableUndo: true,
    setup,
    phases: {
      opening: {
        start: true,
        turn: { activePlayers: ActivePlayers.ALL },
        moves: { call, show, see_none },
        endIf: ({ G }) => G.first !== null,
        next: "turn",
      },
      // Once round the table. The opening was the first player's first turn.
      turn: {
        turn: {
          minMoves: 1,
          maxMoves: 1,
          order: {
            first: ({ G }) => (G.round === 1 ? (G.first + 1) % players : G.first),
            next: ({ G, ctx }) => {
              const seat = (ctx.playOrderPos + 1) % players;
              return seat === G.first ? undefined : seat;
            },
          },
        },
        moves: { replace, lay, pass },
        onEnd: ({ G }) => endRound(G),
        next: ({ G }) => (allAnswered(G) ? "turn" : "extra_roll"),
      },
      // All answer at the same time. `activePlayers` is boardgame.io's way to allow that, and it is dear: an object with
      // numbers as keys in the state slows down socket.io's search for binary data in every message.
      extra_roll: {
        turn: { activePlayers: ActivePlayers.ALL_ONCE },
        moves: { choose },
        endIf: ({ G }) => allAnswered(G),
        onEnd: ({ G }) => throwChosen(G),
        next: "turn",
      },
    },
    endIf: ({ G }) => {
      if (!G.over) return undefined;
      const most = Math.max(...G.scores);
      return { scores: G.scores, winners: G.scores.flatMap((points, seat) => (points === most ? [seat] : [])) };
    },
    playerView: ({ G, ctx, playerID }) => {
      if (ctx.phase !== "extra_roll") return G;
      return { ...G, choices: G.choices.map((dice, seat) => (String(seat) === playerID ? dice : null)) };
    },
  };
}

module.exports = { cubed };

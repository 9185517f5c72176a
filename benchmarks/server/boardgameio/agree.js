// Plays games that Python has written with boardgame.io's own reducer: node agree.js <GAMES
//
// A game is a line: a script, whose moves also say whether they were refused, what the table was then and what everyone
// could see of the answers to the extra roll. Says what differs first, and ends with 1; nothing if all is equal.
const { createInterface } = require("node:readline");
const { isDeepStrictEqual } = require("node:util");
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");
const { cubed } = require("./game.js");

console.error = () => {}; // boardgame.io's own word on every move that it refuses

function table({ G, ctx }) {
  const { thrown, over, barred, none, ...rest } = G;
  const phase = over ? "over" : ctx.phase;
  const turn = phase === "turn" ? Number(ctx.currentPlayer) : null;
  return { ...rest, barred: [...barred].sort(), none: [...none].sort(), phase, turn };
}

function play({ moves, ...script }, number) {
  const game = cubed(script);
  const reduce = CreateGameReducer({ game });
  let state = InitializeGame({ game, numPlayers: script.players });
  const viewers = [...state.ctx.playOrder, null];
  moves.forEach(({ seat, name, arguments: args, after }, place) => {
    const next = reduce(state, { type: "MAKE_MOVE", payload: { type: name, args, playerID: String(seat) } });
    const found = {
      refused: next._stateID === state._stateID,
      table: table(next),
      choices: viewers.map((playerID) => game.playerView({ ...next, playerID }).choices),
      winners: next.ctx.gameover?.winners ?? null,
    };
    if (!isDeepStrictEqual(found, after)) {
      console.log(`game ${number}, move ${place}: ${name} of seat ${seat}, ${JSON.stringify(args)}`);
      console.log(`ours: ${JSON.stringify(after)}\nboardgame.io's: ${JSON.stringify(found)}`);
      process.exit(1);
    }
    state = next;
  });
}

async function main() {
  let number = 0;
  for await (const line of createInterface({ input: process.stdin })) play(JSON.parse(line), number++);
}

main();

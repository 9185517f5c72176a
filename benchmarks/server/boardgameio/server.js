// Set Cubed at boardgame.io's own server: node server.js PORT SCRIPT [FOLDER]
//
// Undo is off, and the whole state goes out as by default: patches (deltaState) take about ten times the processor time.
// Matches are kept in memory, as by default, or as files in FOLDER.
const { readFileSync } = require("node:fs");
const { FlatFile, Server } = require("boardgame.io/server");
const { cubed } = require("./game.js");

const [port, script, folder] = process.argv.slice(2);
const games = [cubed(JSON.parse(readFileSync(script, "utf8")))];
const db = folder ? new FlatFile({ dir: folder }) : undefined;
Server({ games, origins: [], db }).run(Number(port));

// What a player may lay and what it scores: `tercet.cubed`'s judge and points, in JavaScript.
//
// A die is its text: `2GS#17` in hand, `W#3` a wild in hand, `*2GS#3` a wild on the board that stands for a face.
// A board is one die or null a cell, by row.

const FACES = [..."123"].flatMap((number) =>
  [..."RGP"].flatMap((colour) => [..."DOS"].map((shape) => number + colour + shape)),
);
const FACE = new Map(FACES.map((text, face) => [text, face]));
const WILD = FACES.length;

const HAND_LIMIT = 5;
const LAY_LIMIT = 3;

// The face that completes a SET with two others.
const THIRD = FACES.map((_, a) =>
  FACES.map((_, b) => [9, 3, 1].reduce((sum, unit) => sum + unit * ((6 - digit(a, unit) - digit(b, unit)) % 3), 0)),
);

function digit(face, unit) {
  return Math.floor(face / unit) % 3;
}

// For two and for three dice every order in which they can be laid, as the place of each.
const ORDERS = { 2: [[0, 1], [1, 0]], 3: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] };

class Judge {
  constructor({ rows, cols, logo, bonus, dice, wild }) {
    this.cells = rows * cols;
    this.wildsScoreLater = wild === "later";
    this.cellOf = new Map();
    for (let cell = 0; cell < this.cells; cell++) {
      this.cellOf.set(`${String.fromCharCode(97 + (cell % cols))}${Math.floor(cell / cols) + 1}`, cell);
    }
    this.logo = logo.map((square) => this.cellOf.get(square)).sort((a, b) => a - b);
    this.bonus = Array(this.cells).fill(0);
    for (const [square, points] of Object.entries(bonus)) this.bonus[this.cellOf.get(square)] = points;
    this.runs = [];
    for (let cell = 0; cell < this.cells; cell++) {
      if ((cell % cols) + 2 < cols) this.runs.push([cell, cell + 1, cell + 2]);
      if (cell + 2 * cols < this.cells) this.runs.push([cell, cell + cols, cell + 2 * cols]);
    }
    this.runsThrough = this.bonus.map((_, cell) => this.runs.filter((run) => run.includes(cell)));
    this.dice = new Map();
    dice.forEach((faces, place) => {
      const number = place + 1;
      for (const text of faces) {
        if (text !== "W") this.dice.set(`${text}#${number}`, { number, face: FACE.get(text), wild: false });
        else {
          this.dice.set(`W#${number}`, { number, face: WILD, wild: false });
          FACES.forEach((named, face) => this.dice.set(`*${named}#${number}`, { number, face, wild: true }));
        }
      }
    });
  }

  // The number of a die.
  number(die) {
    return this.dice.get(die).number;
  }

  hasSet(hand) {
    const faces = hand.map((die) => this.dice.get(die).face);
    if (faces.length < 3) return false;
    if (faces.includes(WILD)) return true;
    return faces.some((a, i) => faces.some((b, j) => j > i && faces.includes(THIRD[a][b], j + 1)));
  }

  // The dice that these placements mean, by their cells: as they are in hand, and their text on the board. Null if they
  // are not in hand or not on different squares. Where a placement says no number, the die with the lowest is meant.
  take(hand, placements) {
    if (!Array.isArray(placements) || placements.length === 0 || placements.length > LAY_LIMIT) return null;
    const laid = [];
    for (const placement of placements) {
      const cell = this.cellOf.get(placement?.square);
      const face = FACE.get(placement?.face);
      if (cell === undefined || face === undefined || laid.some((die) => die.cell === cell)) return null;
      const wild = placement.wild === true;
      laid.push({ cell, face, wild, number: placement.die ?? null, inHand: null, text: null });
    }
    laid.sort((a, b) => a.cell - b.cell);
    const named = laid.flatMap(({ number }) => number ?? []);
    const left = new Set(hand);
    for (const die of laid) {
      const shown = die.wild ? WILD : die.face;
      for (const text of left) {
        const { number, face } = this.dice.get(text);
        if (face !== shown) continue;
        if (die.number === null ? named.includes(number) : die.number !== number) continue;
        if (die.inHand === null || number < this.number(die.inHand)) die.inHand = text;
      }
      if (!left.delete(die.inHand)) return null;
      die.number = this.number(die.inHand);
      die.text = die.wild ? `*${FACES[die.face]}#${die.number}` : die.inHand;
    }
    return laid;
  }

  // Whether a die of the hand shows the face that the die on the board, a wild, stands for.
  replaces(die, lying) {
    const wild = this.dice.get(lying);
    return wild?.wild === true && this.dice.get(die).face === wild.face;
  }

  onLogo(laid) {
    return laid.length === LAY_LIMIT && laid.every(({ cell }, place) => cell === this.logo[place]);
  }

  isSet([a, b, c]) {
    return THIRD[a.face][b.face] === c.face;
  }

  // What laying these dice scores; null where a square is taken or a die is in no new SET.
  score(board, laid) {
    if (laid.some(({ cell }) => board[cell] !== null)) return null;
    const sets = this.newSets(board, laid);
    if (!laid.every((die) => sets.some((set) => set.laid.includes(die)))) return null;
    let points = this.wildPoints(sets, laid);
    for (const set of sets) points += set.lyingPoints + set.laid.filter(({ wild }) => !wild).length;
    for (const { cell } of laid) points += this.bonus[cell];
    return points;
  }

  // The runs of three that became a SET, with at least one die laid and one that lay before.
  newSets(board, laid) {
    const sets = [];
    laid.forEach((first, place) => {
      for (const run of this.runsThrough[first.cell]) {
        if (laid.slice(0, place).some(({ cell }) => run.includes(cell))) continue; // seen from an earlier die
        const set = { laid: [], lyingPoints: 0 };
        const faces = [];
        for (const cell of run) {
          const mine = laid.find((die) => die.cell === cell);
          const die = mine ?? this.dice.get(board[cell]);
          if (die === undefined) break;
          faces.push(die.face);
          if (mine) set.laid.push(mine);
          else if (this.wildsScoreLater || !die.wild) set.lyingPoints += 1;
        }
        if (faces.length < 3 || set.laid.length === 3 || THIRD[faces[0]][faces[1]] !== faces[2]) continue;
        sets.push(set);
      }
    });
    return sets;
  }

  // The points of laid wilds, in the order of laying that scores most: a wild scores in all its SETs but those
  // finished by the die with which it first joined one.
  wildPoints(sets, laid) {
    if (!this.wildsScoreLater || laid.length < 2 || !laid.some(({ wild }) => wild)) return 0;
    let most = 0;
    for (const order of ORDERS[laid.length]) {
      let scored = 0;
      for (const die of laid) {
        if (!die.wild) continue;
        const finished = sets
          .filter((set) => set.laid.includes(die))
          .map((set) => Math.max(...set.laid.map((one) => order[laid.indexOf(one)])));
        const first = Math.min(...finished);
        scored += finished.filter((place) => place !== first).length;
      }
      most = Math.max(most, scored);
    }
    return most;
  }

  // Whether any die of the hand can be laid.
  canLay(board, hand) {
    const lying = board.map((die) => (die === null ? -1 : this.dice.get(die).face));
    const faces = hand.map((die) => this.dice.get(die).face);
    const wild = faces.includes(WILD);
    const one = wild ? FACES.map(() => true) : Array(FACES.length).fill(false); // the faces of which the hand has one
    const two = wild && faces.length > 1 ? one : Array(FACES.length).fill(false); // those with which two make a SET
    if (!wild) {
      faces.forEach((a, place) => {
        one[a] = true;
        for (const b of faces.slice(place + 1)) two[THIRD[a][b]] = true;
      });
    }
    return this.runs.some(([first, second, third]) => {
      const [a, b, c] = [lying[first], lying[second], lying[third]];
      if (a < 0) return b < 0 ? c >= 0 && two[c] : c < 0 ? two[b] : one[THIRD[b][c]];
      if (b < 0) return c < 0 ? two[a] : one[THIRD[a][c]];
      return c < 0 && one[THIRD[a][b]];
    });
  }
}

module.exports = { HAND_LIMIT, Judge };

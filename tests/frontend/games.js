/** Layouts and messages that the tests are made of. */

const columns = (count, row = 0) =>
  Array.from({ length: count }, (_, i) => ({
    name: `t${i + 1}`,
    role: "column",
    row,
    column: i,
    fan: "down",
  }));

/** Ten columns and four places beside them. */
export const TEN = [
  ...columns(10),
  ...[1, 2, 3, 4].map((n) => ({ name: `f${n}`, role: "foundation", row: n - 1, column: 10, fan: "none" })),
];

/** Stock, waste and foundations above seven columns. */
export const SEVEN = [
  { name: "s", role: "stock", row: 0, column: 0, fan: "none" },
  { name: "w", role: "waste", row: 0, column: 1, fan: "none" },
  ...["H", "C", "D", "S"].map((suit, i) => ({
    name: `f${i + 1}`,
    role: "foundation",
    row: 0,
    column: 3 + i,
    fan: "none",
    suit,
  })),
  ...columns(7, 1),
];

export const DEAL =
  "t1 AS KH AC 4D KD 6C TH 4C/t2 3D 2D 4S 9C AD 7C 8D 9H/t3 JH 6S 8H 5H 2S 3C 6H KS/t4 JS 7D 2C TS 9D TD 5S" +
  "/t5 2H 9S KC 8C QS AH/t6 QC 7H TC JC QH/t7 JD 3H 5C 6D/t8 8S 4H QD/t9 3S 7S/t10 5D/f1/f2/f3/f4";

export const AFTER = DEAL.replace("t7 JD 3H 5C 6D", "t7 JD 3H 5C 6D 5D").replace("t10 5D", "t10");

export function state(seq, position = DEAL, more = {}) {
  return {
    seq,
    ply: seq,
    position,
    score: 500 - seq,
    moves: seq,
    elapsed_ms: seq * 1000,
    running: seq > 0,
    status: "playing",
    dests: { t10: ["t7"], t3: ["t10"] },
    actions: ["give_up"],
    ...more,
  };
}

export const update = (
  seq,
  position = DEAL,
  command = "t10-t7",
  effects = [["move", "t10", "t7", 1]],
  more = {},
) => ({
  type: "update",
  ...state(seq, position, more),
  command,
  effects,
});

export const welcome = (snapshot, more = {}) => ({
  type: "welcome",
  protocol: 1,
  release: "1",
  role: "player",
  epoch: 1,
  game: {
    code: "7K3M9QX2TB",
    rules: "simple-simon",
    options: { suits: 4 },
    player: "zofia",
    deal_code: null,
    ranked: true,
    layout: TEN,
  },
  ...(snapshot ? { snapshot } : {}),
  ...more,
});

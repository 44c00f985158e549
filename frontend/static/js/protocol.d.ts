// The messages of Tableau, version 1, made from game/wire.py by `manage.py protocol`.
// What they mean is written in PROTOCOL.md.

export type Dests = { [name: string]: string[] };

export type Effect = (string | number)[];

export type RefusalCode =
    | "malformed"
    | "bad_count"
    | "no_such_pile"
    | "empty_pile"
    | "same_pile"
    | "cannot_leave"
    | "foundation_keeps"
    | "one_card_only"
    | "face_down"
    | "not_a_run"
    | "mixed_suits"
    | "nothing_on_an_ace"
    | "king_needs_empty_column"
    | "wrong_rank"
    | "wrong_colour"
    | "only_a_king"
    | "wrong_foundation"
    | "no_place"
    | "nothing_to_undo"
    | "nothing_to_draw"
    | "nothing_to_collect"
    | "stale"
    | "not_yours"
    | "game_over"
    | "too_fast"
    | "unavailable";

/** One command. `id` is new for each intention and the same on every retry; `seq` is the last seen. */
export interface Play {
    type: "play";
    id: string;
    seq: number;
    command: string;
}

/** Asks for what happened after `since`. */
export interface Sync {
    type: "sync";
    since: number;
}

/** One pile of a layout: its place in a grid of cards and how it fans. */
export interface PileInfo {
    name: string;
    role: string;
    row: number;
    column: number;
    fan: string;
    suit?: string;
}

/** What does not change while a game is played, but for `ranked` and the secrets told at its end. */
export interface GameInfo {
    code: string;
    rules: string;
    options: { [name: string]: number };
    player: string;
    deal_code: string | null;
    ranked: boolean;
    layout: PileInfo[];
}

/** How a game stands at `seq`. `position` is masked; times are milliseconds. */
export interface State {
    seq: number;
    ply: number;
    position: string;
    score: number | null;
    moves: number;
    elapsed_ms: number;
    running: boolean;
    status: string;
    dests: Dests;
    actions: string[];
}

/** A state and the event that led to it; `effects` are hints for animation. */
export interface Change extends State {
    command: string;
    effects: Effect[];
}

/** The whole state, asked for or not. */
export interface Snapshot extends State {
    type: "snapshot";
}

/** One event, as everybody gets it. */
export interface Update extends Change {
    type: "update";
}

/** The first message: who one is, which game it is, and either a snapshot or what was missed. */
export interface Welcome {
    type: "welcome";
    protocol: number;
    release: string;
    role: string;
    game: GameInfo;
    epoch: number;
    snapshot?: State;
    updates?: Change[];
}

/** The command is stored. `seq` is its event's; `repeated` if it had been accepted before. */
export interface Accepted {
    type: "accepted";
    id: string;
    seq: number;
    repeated: boolean;
}

/** The command changed nothing; `text` says why in the socket's language. */
export interface Refused {
    type: "refused";
    id: string | null;
    code: RefusalCode;
    text: string;
    seq: number;
    retry_ms: number | null;
}

/** The newest `seq` in the database, and the server's Unix time in milliseconds. */
export interface Beat {
    type: "beat";
    seq: number;
    epoch: number;
    time: number;
}

/** The people who watch, the player not counted; `names` up to a limit. */
export interface Crowd {
    type: "crowd";
    count: number;
    names: string[];
}

/** The close that follows; `retry_ms` null means: do not come back. */
export interface Bye {
    type: "bye";
    code: number;
    reason: string;
    retry_ms: number | null;
}

/** One accepted command of a record; `at_ms` counts from when the game was made. */
export interface RecordEntry {
    command: string;
    seq?: number;
    at_ms?: number;
}

/** A game for programs: enough to replay it, and what should come out. `parent`: see "For programs". */
export interface Record {
    code: string;
    rules: string;
    rules_version: number;
    options: { [name: string]: number };
    deal: string | null;
    deal_code: string | null;
    player: string;
    ranked: boolean;
    status: string;
    score: number | null;
    moves: number;
    elapsed_ms: number;
    position: string;
    digest: string | null;
    log: RecordEntry[];
    line: string[];
    parent?: string;
    parent_ply?: number;
}

/** A stretch of a game's updates; `next` is the `since` of the following page, or null. */
export interface UpdatesPage {
    updates: Change[];
    next: number | null;
}

/** A step that lost a game and was taken back: where it stands in the log, and which ply it made. */
export interface Mistake {
    seq: number;
    ply: number;
    command: string;
}

/** Where an ended game was lost, as far as that is proven; `line` leads from `last_won` to a win. */
export interface GameVerdict {
    state: string;
    last_won: number | null;
    first_lost: number | null;
    recovered: Mistake[];
    line: Change[];
}

export type ClientMessage =
    | Play
    | Sync;

export type ServerMessage =
    | Welcome
    | Snapshot
    | Update
    | Accepted
    | Refused
    | Beat
    | Crowd
    | Bye;

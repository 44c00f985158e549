export interface PileInfo { name: string; role: string; row: number; column: number; fan: string; suit?: string; }
export interface GameInfo { code: string; rules: string; options: Record<string, number>; player: string; deal_code: string | null; ranked: boolean; layout: PileInfo[]; }
export type Effect = (string | number)[];
export interface State { seq: number; ply: number; position: string; score: number | null; moves: number; elapsed_ms: number; running: boolean; status: string; dests: Record<string, string[]>; actions: string[]; }
export interface Change extends State { command: string; effects: Effect[]; }
export interface Snapshot extends State { type: "snapshot"; }
export interface Update extends Change { type: "update"; }
export interface Welcome { type: "welcome"; protocol: number; release: string; role: string; game: GameInfo; epoch: number; snapshot?: State; updates?: Change[]; }
export interface Accepted { type: "accepted"; id: string; seq: number; repeated: boolean; }
export interface Refused { type: "refused"; id: string | null; code: string; text: string; seq: number; retry_ms: number | null; }
export interface Beat { type: "beat"; seq: number; epoch: number; time: number; }
export interface Crowd { type: "crowd"; count: number; names: string[]; }
export interface Bye { type: "bye"; code: number; reason: string; retry_ms: number | null; }
export interface Play { type: "play"; id: string; seq: number; command: string; }
export interface Sync { type: "sync"; since: number; }

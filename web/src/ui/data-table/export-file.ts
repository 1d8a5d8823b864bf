export type ExportCell = string | number;

/** A table that can be had as a file; the dialog of exports shows what is in it first. */
export interface ExportFile {
  /** "payments.csv" */
  fileName: string;
  heads: readonly string[];
  rows: ReadonlyArray<readonly ExportCell[]>;
  /** The heads of those columns whose numbers mean something added up. */
  sums?: readonly string[];
  /** The same and more as JSON. */
  json?: { fileName: string; text: string };
}

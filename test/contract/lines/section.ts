/** A section of the contract: its requirements by name. */
export interface ContractSection {
  readonly name: string;
  readonly title: string;
  readonly lines: Readonly<Record<string, string>>;
}

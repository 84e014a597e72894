/** What carries the rings: one Redis, or a cluster. It comes back by itself; what was rung meanwhile is lost. */
export interface PubSubTransport {
  publish(name: string, message: string): Promise<unknown>;
  /** Resolves once messages on all of these are heard. */
  listen(names: readonly string[]): Promise<void>;
  unlisten(name: string): Promise<unknown>;
  /** False while messages are surely lost. */
  up(): boolean;
  /** Asks every connection whether it still answers; one that hangs would lose messages without a word. */
  probe(): Promise<unknown>;
  /** Gives up connections that do not answer, and opens new ones. */
  renew(): void;
  ping(): Promise<unknown>;
  close(): void;
}

/** What a wire tells. */
export interface PubSubEvents {
  message(name: string, message: string): void;
  /** Messages can be sent again. */
  sendable(): void;
  /** It can be listened again: what was listened to before is not, where `forgotten`. */
  listenable(forgotten: boolean): void;
}

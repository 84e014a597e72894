/** The transport of messages: one Redis server, or a cluster. It reconnects; messages sent in between are lost. */
export interface PubSubTransport {
  publish(name: string, message: string): Promise<unknown>;
  /** Resolves once all names are subscribed to. */
  listen(names: readonly string[]): Promise<void>;
  unlisten(name: string): Promise<unknown>;
  /** False while messages are certainly lost. */
  up(): boolean;
  /** Pings every connection. A connection that hangs would lose messages silently. */
  probe(): Promise<unknown>;
  /** Replaces connections that do not answer. */
  renew(): void;
  ping(): Promise<unknown>;
  close(): void;
}

/** Events of a transport. */
export interface PubSubEvents {
  message(name: string, message: string): void;
  /** Messages can be sent again. */
  sendable(): void;
  /** Names can be subscribed to again. `forgotten`: earlier subscriptions are lost. */
  listenable(forgotten: boolean): void;
}

/**
 * What links a transfer to its receipt: the address that received it, the amount of its quote, a card provider's event,
 * the sender's signature, an assignment by the merchant, the server's own transaction, or an authorization that was
 * bound to it.
 */
export type LinkedBy = 'address' | 'quote' | 'card' | 'signature' | 'assignment' | 'server' | 'authorization';

/**
 * What links a transfer to its receipt: the address that received it, the sender's signature, an assignment by the
 * merchant, the server's own transaction, or what version 0.1 asked for at the split.
 */
export type LinkedBy = 'address' | 'signature' | 'assignment' | 'server' | 'asked';

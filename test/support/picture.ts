/** The head of a PNG of one pixel, as far as its data. */
const HEAD = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000049444154', 'hex');

/** The data URI of a PNG with this content. */
export const pngOf = (content: string | Buffer): string =>
  `data:image/png;base64,${Buffer.concat([HEAD, Buffer.from(content)]).toString('base64')}`;

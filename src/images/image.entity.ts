import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../platform/database.ts';

const ImageSchema = defineEntity({
  name: 'Image',
  tableName: 'images',
  properties: {
    /** SHA-256 of the bytes, lower-case hex. */
    digest: p.text().primary(),
    mediaType: p.text(),
    bytes: p.blob(),
    createdAt: p.bigint('number'),
  },
});

/** A picture that was given as a data URI. Equal pictures are stored once and served by their digest. */
export class Image extends ImageSchema.class {}
ImageSchema.setClass(Image);

declare module '../platform/database.ts' {
  interface Database {
    Image: TableOf<typeof ImageSchema>;
  }
}

import { defineEntity, p } from '@mikro-orm/core';
import type { TableOf } from '../../platform/postgres/database.ts';

const ImageSchema = defineEntity({
  name: 'Image',
  tableName: 'images',
  indexes: [
    {
      name: 'images_of_profiles',
      expression: 'create index images_of_profiles on images (created_at) where profile_only',
    },
  ],
  properties: {
    /** SHA-256 of the bytes, lower-case hex. */
    digest: p.text().primary(),
    mediaType: p.text(),
    bytes: p.blob(),
    /** When it was given last. */
    createdAt: p.bigint('number'),
    /** False only for pictures of products that an earlier version has stored while the database was upgraded. */
    profileOnly: p.boolean().default(false),
  },
});

/** A picture of a profile that was given as a data URI. Equal pictures are stored once and served by their digest. */
export class Image extends ImageSchema.class {}
ImageSchema.setClass(Image);

declare module '../../platform/postgres/database.ts' {
  interface Database {
    Image: TableOf<typeof ImageSchema>;
  }
}

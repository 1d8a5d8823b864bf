import { createBuilder, createSchema, number, string, table } from '@rocicorp/zero';

const post = table('post')
  .columns({
    key: string(),
    id: string(),
    accountId: string(),
    caption: string(),
    permalink: string(),
    shortcode: string(),
    mediaType: string(),
    displayUrl: string(),
    takenAt: string(),
    detectedAt: string(),
    likes: number(),
    comments: number(),
  })
  .primaryKey('key');

export const schema = createSchema({ tables: [post], enableLegacyQueries: true });
export const zql = createBuilder(schema);

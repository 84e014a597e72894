import { schema } from '../../http/server/schema.ts';
import { parts } from '../routes.ts';
import { describeApi } from './document.ts';

/** The API document as stored in `openapi.json`, without a server address. */
export const printedDocument = (): string => `${JSON.stringify(describeApi(parts, schema), null, 2)}\n`;

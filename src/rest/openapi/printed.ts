import { schema } from '../../server/schema.ts';
import { parts } from '../routes.ts';
import { describeApi } from './document.ts';

/** The API document as it is checked in as `openapi.json`: of no server in particular. */
export const printedDocument = (): string => `${JSON.stringify(describeApi(parts, schema), null, 2)}\n`;

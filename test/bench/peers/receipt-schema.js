import { GraphQLScalarType } from 'graphql';
import pg from 'pg';

/** The part of the schema that the request of the bench needs. */
export const typeDefs = `
  scalar Millis
  type ReceiptLine { label: String! priceUsd: Float! }
  type Receipt {
    receiptId: String! totalUsd: Float! currency: String! lineItems: [ReceiptLine!]! createdAt: Millis! brandName: String!
    status: String!
  }
  type Query { receipt(receiptId: ID!): Receipt }
`;

export const Millis = new GraphQLScalarType({ name: 'Millis' });

const INT8 = 20;
pg.types.setTypeParser(INT8, Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

const RECEIPT = {
  name: 'receipt',
  text: `select id, total_cents as total, currency, line_items as lines, created_at as created, brand_name as brand, status
           from receipts where merchant = $1 and id = $2`,
};

/** Reads one receipt of the merchant in `MERCHANT`, as the bare twin does. */
export async function readReceipt(id) {
  const [row] = (await pool.query({ ...RECEIPT, values: [process.env.MERCHANT, id] })).rows;
  return {
    receiptId: row.id,
    totalUsd: row.total / 100,
    currency: row.currency,
    lineItems: row.lines.map(({ label, priceCents }) => ({ label, priceUsd: priceCents / 100 })),
    createdAt: row.created,
    brandName: row.brand,
    status: row.status,
  };
}

/** Resolvers in the form that Yoga and Mercurius take. */
export const resolvers = {
  Millis,
  Query: { receipt: (_root, { receiptId }) => readReceipt(receiptId) },
};

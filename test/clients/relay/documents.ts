import { graphql } from 'relay-runtime';

/* Relay's compiler reads these documents and writes `generated`. A build of a shop replaces the tags by its plug-in. */

graphql`
  query documentsReceiptQuery($receiptId: ID!) {
    receipt(receiptId: $receiptId) {
      receiptId
      totalUsd
      status
    }
  }
`;

graphql`
  query documentsReceiptsQuery($first: Int!, $after: String) {
    receipts(first: $first, after: $after, orderBy: { field: createdAt, direction: asc })
      @connection(key: "Shop_receipts") {
      edges {
        node {
          receiptId
        }
      }
    }
  }
`;

graphql`
  mutation documentsSaveItemMutation($input: InventoryItemInput!) {
    saveInventoryItem(input: $input) {
      sku
      name
    }
  }
`;

graphql`
  subscription documentsStatusesSubscription($after: String) {
    receiptStatuses(after: $after) {
      receiptId
      seq
      cursor
    }
  }
`;

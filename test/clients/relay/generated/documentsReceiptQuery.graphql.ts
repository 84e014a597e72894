/**
 * @generated SignedSource<<9c7f74277d3c949c0b94e6f61ff373ea>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type ReceiptStatus = "completed" | "failed" | "generated" | "paid" | "pending" | "refunded" | "tx_mined" | "tx_mismatch" | "%future added value";
export type documentsReceiptQuery$variables = {
  receiptId: string;
};
export type documentsReceiptQuery$data = {
  readonly receipt: {
    readonly receiptId: string;
    readonly status: ReceiptStatus;
    readonly totalUsd: number;
  } | null;
};
export type documentsReceiptQuery = {
  response: documentsReceiptQuery$data;
  variables: documentsReceiptQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "receiptId"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "receiptId",
    "variableName": "receiptId"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "receiptId",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "totalUsd",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "status",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "documentsReceiptQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Receipt",
        "kind": "LinkedField",
        "name": "receipt",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "documentsReceiptQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "Receipt",
        "kind": "LinkedField",
        "name": "receipt",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "b7c4ab4e8ee9034f6c020d5a6af4d740",
    "id": null,
    "metadata": {},
    "name": "documentsReceiptQuery",
    "operationKind": "query",
    "text": "query documentsReceiptQuery(\n  $receiptId: ID!\n) {\n  receipt(receiptId: $receiptId) {\n    receiptId\n    totalUsd\n    status\n    id\n  }\n}\n"
  }
};
})();

(node as any).hash = "c55fa21599ab2dbb0c0069d5d25fc9e4";

export default node;

/**
 * @generated SignedSource<<83de364e2de3237810ec7f4cf8373944>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type documentsStatusesSubscription$variables = {
  after?: string | null;
};
export type documentsStatusesSubscription$data = {
  readonly receiptStatuses: {
    readonly cursor: string;
    readonly receiptId: string;
    readonly seq: number;
  } | null;
};
export type documentsStatusesSubscription = {
  response: documentsStatusesSubscription$data;
  variables: documentsStatusesSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "after"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "after",
    "variableName": "after"
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
  "name": "seq",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "cursor",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "documentsStatusesSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "ReceiptStatusEvent",
        "kind": "LinkedField",
        "name": "receiptStatuses",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "documentsStatusesSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "ReceiptStatusEvent",
        "kind": "LinkedField",
        "name": "receiptStatuses",
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
    "cacheID": "357ed78e782be913bfd587e4a75d6d10",
    "id": null,
    "metadata": {},
    "name": "documentsStatusesSubscription",
    "operationKind": "subscription",
    "text": "subscription documentsStatusesSubscription(\n  $after: String\n) {\n  receiptStatuses(after: $after) {\n    receiptId\n    seq\n    cursor\n    id\n  }\n}\n"
  }
};
})();

(node as any).hash = "5d6db72a3e82ad1a2a0774d2250d50de";

export default node;

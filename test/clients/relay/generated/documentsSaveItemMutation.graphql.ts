/**
 * @generated SignedSource<<72cc2d24e8b97bb41950b3f48f3b6aae>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type Currency = "EUR" | "USD" | "%future added value";
export type InventoryItemInput = {
  attributes?: any | null;
  category?: string | null;
  costUsd?: number | null;
  currency?: Currency | null;
  description?: string | null;
  images?: ReadonlyArray<string> | null;
  jurisdictionCode?: string | null;
  name?: string | null;
  price?: number | null;
  priceUsd?: number | null;
  sku: string;
  stockQty?: number | null;
  tags?: ReadonlyArray<string> | null;
  taxable?: boolean | null;
  thumb?: string | null;
  wallet?: string | null;
};
export type documentsSaveItemMutation$variables = {
  input: InventoryItemInput;
};
export type documentsSaveItemMutation$data = {
  readonly saveInventoryItem: {
    readonly name: string;
    readonly sku: string;
  } | null;
};
export type documentsSaveItemMutation = {
  response: documentsSaveItemMutation$data;
  variables: documentsSaveItemMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "input",
    "variableName": "input"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "sku",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "name",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "documentsSaveItemMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "InventoryItem",
        "kind": "LinkedField",
        "name": "saveInventoryItem",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "documentsSaveItemMutation",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "InventoryItem",
        "kind": "LinkedField",
        "name": "saveInventoryItem",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
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
    "cacheID": "b6efd1b00de27423a04f93826662fc8b",
    "id": null,
    "metadata": {},
    "name": "documentsSaveItemMutation",
    "operationKind": "mutation",
    "text": "mutation documentsSaveItemMutation(\n  $input: InventoryItemInput!\n) {\n  saveInventoryItem(input: $input) {\n    sku\n    name\n    id\n  }\n}\n"
  }
};
})();

(node as any).hash = "ab141af10cb658a320838fc859ab055b";

export default node;

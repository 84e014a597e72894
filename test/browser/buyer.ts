/** Somebody who buys, as an order names people. */
export const BUYER = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@buyer.example',
  line1: '12 St James’s Square',
  city: 'London',
  zip: 'SW1Y 4JH',
  country: 'GB',
};

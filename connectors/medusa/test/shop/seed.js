const flows = require('@medusajs/medusa/core-flows');
const { writeFileSync } = require('node:fs');

/** Run by `medusa exec`: a region with both ways to pay, one product, and the key of a storefront. */
exports.default = async ({ container }) => {
  const run = async (workflow, input) => (await flows[workflow](container).run({ input })).result;
  const [channel] = await run('createSalesChannelsWorkflow', { salesChannelsData: [{ name: 'Web' }] });
  const [key] = await run('createApiKeysWorkflow', {
    api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }],
  });
  await run('linkSalesChannelsToApiKeyWorkflow', { id: key.id, add: [channel.id] });
  const [region] = await run('createRegionsWorkflow', {
    regions: [
      {
        name: 'US',
        currency_code: 'usd',
        countries: ['us'],
        payment_providers: ['pp_quittance_quittance', 'pp_system_default'],
      },
    ],
  });
  const [product] = await run('createProductsWorkflow', {
    products: [
      {
        title: 'Tea',
        status: 'published',
        options: [{ title: 'Size', values: ['S'] }],
        variants: [
          {
            title: 'S',
            options: { Size: 'S' },
            manage_inventory: false,
            prices: [{ amount: 19.99, currency_code: 'usd' }],
          },
        ],
        sales_channels: [{ id: channel.id }],
      },
    ],
  });
  writeFileSync(
    process.env.SEED_FILE,
    JSON.stringify({ key: key.token, region: region.id, channel: channel.id, variant: product.variants[0].id }),
  );
};

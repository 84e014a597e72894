const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: { storeCors: '', adminCors: '', authCors: '', jwtSecret: 'for tests', cookieSecret: 'for tests' },
  },
  plugins: [{ resolve: 'quittance-medusa', options: {} }],
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        webhook_delay: 200,
        providers: [{ resolve: 'quittance-medusa/providers/quittance', id: 'quittance' }],
      },
    },
  ],
});

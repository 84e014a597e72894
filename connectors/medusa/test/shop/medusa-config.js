const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: !process.env.ADMIN },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    // The tests sign in without TLS.
    cookieOptions: { secure: false, sameSite: 'lax' },
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

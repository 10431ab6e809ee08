/** The document groups the endpoints by these tags, in this order. */
export const tags = {
  Accounts: 'Registering a business, logging in, sessions, API keys, passwords, and who did what.',
  People: 'Who works for a business: invitations, roles, suspension.',
  Users: 'The bettors of a business, and what they stand to lose.',
  Bets: 'Offers, acceptances, and how they end.',
  Previews: 'What a decision or a correction would move, before it is made.',
  Approvals: 'Operations that one person asks for and another one approves.',
  Wagers: 'What bets are made on, and how far they are settled.',
  Transactions: 'Money in and out, and every movement of a balance.',
  Risk: 'What the undecided wagers can still cost, and which users.',
  Search: 'Anything in the ledger of an account, by what it is called.',
  Events: 'What happened, in order and without a gap: to follow it, and to join it with what the lists show.',
  Webhooks: 'Endpoints of a business that the events of its account are sent to, by Standard Webhooks.',
  Sandboxes: 'Accounts for tests, with keys and a clock of their own.',
  Exports: 'Files of transactions, bets and statements, to take home.',
  Administration: 'What only admin accounts may do: see other accounts, and correct wagers and bets.',
  Operations: 'For providers of the service.',
} as const;

export type Tag = keyof typeof tags;

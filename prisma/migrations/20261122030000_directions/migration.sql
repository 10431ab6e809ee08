-- Money comes in by a funding and goes out by a withdrawal, never the other way.
ALTER TABLE transactions
  ADD CONSTRAINT transactions_funding_is_credit CHECK (transaction_source <> 'funding' OR transaction_type = 'credit'),
  ADD CONSTRAINT transactions_withdrawal_is_debit CHECK
    (transaction_source <> 'withdrawal' OR transaction_type = 'debit');

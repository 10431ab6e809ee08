\set account random(1, :accounts)
\set user (:account - 1) * :users + random(1, :users)
\set wager random(1, :wagers)
SELECT lean_accept(:account, :user, 'w' || :wager);

\set account random(1, :accounts)
\set user (:account - 1) * :users + random(1, :users)
\set wager random(1, :wagers)
\set odds random(150, 300)
SELECT lean_make(:account, :user, 'w' || :wager, :odds * 0.01, 10);

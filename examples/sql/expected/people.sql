CREATE TABLE "people" (
  "id" BIGINT NOT NULL,
  "name" TEXT,
  "born" DATE NOT NULL,
  "balance" NUMERIC NOT NULL,
  "ratio" DOUBLE PRECISION NOT NULL,
  "active" BOOLEAN NOT NULL,
  "last seen" TIMESTAMP,
  "postcode" TEXT NOT NULL,
  "note" TEXT
);
INSERT INTO "people" ("id", "name", "born", "balance", "ratio", "active", "last seen", "postcode", "note") VALUES
  (1, 'Ada Miller', '1962-02-28', 1200.50, 1e-3, TRUE, '2024-05-01 08:30:00', '01099', NULL),
  (2, 'O''Hara, Pat', '2000-02-29', -3.25, 2.5, FALSE, '2024-05-02 23:59:59', '20095', 'said "hello"'),
  (3, 'Zoë', '1999-12-31', 17, -1.5E+10, TRUE, NULL, '99999', 'two
lines'),
  (4, NULL, '1970-01-01', 0, 0, FALSE, '1999-01-01 00:00:00', '80331', ''),
  (5, 'Back\slash', '1988-07-09', 99999999999999999999, 7, TRUE, '2024-02-29 12:00:00', '10115', '100%');

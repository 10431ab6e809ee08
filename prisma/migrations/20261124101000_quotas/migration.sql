-- AlterTable
ALTER TABLE "accounts" ADD COLUMN "registered_from" TEXT;

# frozen_string_literal: true

module OpenSSL
  # For a test of the tables: each row, and a call of one.
  def self.__rows = Primitive.openssl_rows
  def self.__row(error, name, arguments) = Primitive.openssl_row(error, name, arguments)
  private_class_method :__rows, :__row
end
